// Elaboration parameters of this run, for a simulator's -f.
+define+CONGRUENT_QUEUES=1
+define+CONGRUENT_QUEUE_W=1
+define+CONGRUENT_OCC_W=18
+define+CONGRUENT_AVG_FRAC=16
+define+CONGRUENT_WEIGHT_FRAC=11
+define+CONGRUENT_COUNT_W=6
