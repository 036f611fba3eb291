// Elaboration parameters of this run, for a simulator's -f.
+define+CONGRUENT_ENTRIES=64
+define+CONGRUENT_INDEX_W=10
+define+CONGRUENT_DLID_W=24
+define+CONGRUENT_QUEUES=8
+define+CONGRUENT_QUEUE_W=4
+define+CONGRUENT_TIME_W=32
+define+CONGRUENT_TIME_INIT=-96
+define+CONGRUENT_TIME_FRAC=16
+define+CONGRUENT_CCTI_W=10
