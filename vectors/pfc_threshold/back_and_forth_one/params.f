// Elaboration parameters of this run, for a simulator's -f.
+define+CONGRUENT_QUEUES=1
+define+CONGRUENT_QUEUE_W=1
+define+CONGRUENT_BYTES_W=14
+define+CONGRUENT_TIME_W=9
+define+CONGRUENT_TIME_INIT=-96
+define+CONGRUENT_COUNT_W=8
