/**
 * The test picture of `known-picture.ts` in limited range (levels from 16 to 235). It is encoded in the same
 * way as the pictures of hosts: parameter sets and a key frame at rate factor 16, Annex B.
 */
export const SAMPLE =
  'AAABZ0LACtoQmmoCGgyAAAADAIAAAB5HiRNQAAABaM4CvIAAAAFliISiYoAAmbRGKAAII8cAAxHYjFAAEQ+OAAIv8cAAQdIjFAAFKeOAAIsEcAAQc5sUAAUr44AAg7xwABGciHFAAEBeOAAIkccAARU4skUAATH4YAAgEgAKAAJWkMAAQEQwOguAItYLgCPWC4Aj1lcARcoGgApIVABSQqACkhUAFJE4oAAgrzYoAAi/RwABB0jgACM/MooAAjzRwABGfjgACBJFkigACI/DAAJgACBIAAIA0MAAQGABgABFfh5gAKhEwAFQPMABUDzAAVBQACSsWAASVgoABJWLAAJKwQ4oAAgjRwABEEjgACKpWKAAJT8yigACCfHAAEDiOAAIIcyigACUPHAAENuOAAIZk6igACBvHAAEHyOAAIie';
