// Elaboration parameters of this run, for a simulator's -f.
+define+CONGRUENT_QUEUES=8
+define+CONGRUENT_QUEUE_W=4
+define+CONGRUENT_BYTES_W=14
+define+CONGRUENT_TIME_W=10
+define+CONGRUENT_TIME_INIT=-96
+define+CONGRUENT_COUNT_W=6
