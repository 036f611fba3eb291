// Elaboration parameters of this run, for a simulator's -f.
+define+CONGRUENT_ENTRIES=1
+define+CONGRUENT_INDEX_W=1
+define+CONGRUENT_DLID_W=8
+define+CONGRUENT_QUEUES=1
+define+CONGRUENT_QUEUE_W=1
+define+CONGRUENT_TIME_W=12
+define+CONGRUENT_TIME_INIT=-96
+define+CONGRUENT_TIME_FRAC=8
+define+CONGRUENT_CCTI_W=7
