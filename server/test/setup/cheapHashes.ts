import { vi } from 'vitest'

// Runs before each test file. Hashes of passwords and PINs are cheap in the tests, which make thousands of them. The
// test of `npm start` checks the cost in a real process.
vi.mock(import('@node-rs/argon2'), async (original) => {
  const real = await original()
  const hash: typeof real.hash = (password, options, signal) =>
    real.hash(password, { ...options, memoryCost: 64, timeCost: 1 }, signal)
  return { ...real, hash }
})
