// Elaboration parameters of this run, for a simulator's -f.
+define+CONGRUENT_QUEUES=64
+define+CONGRUENT_QUEUE_W=10
+define+CONGRUENT_OCC_W=28
+define+CONGRUENT_AVG_FRAC=24
+define+CONGRUENT_WEIGHT_FRAC=17
+define+CONGRUENT_COUNT_W=32
