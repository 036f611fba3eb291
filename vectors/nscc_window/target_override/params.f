// Elaboration parameters of this run, for a simulator's -f.
+define+CONGRUENT_DESTS=2
+define+CONGRUENT_DST_W=2
+define+CONGRUENT_UET=0
+define+CONGRUENT_TIME_W=10
+define+CONGRUENT_TIME_INIT=-96
+define+CONGRUENT_CWND_FRAC=8
+define+CONGRUENT_RTT_W=20
