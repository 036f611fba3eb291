    input  beat_t beat_i,
    output beat_t beat_o
