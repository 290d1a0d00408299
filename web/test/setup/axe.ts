import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Expects that axe reports no violation. */
export async function expectAccessible(page: Page): Promise<void> {
  // React Aria's announcer keeps the name of a removed button for a few seconds. Legacy mode skips
  // cross-origin frames, which we never have, and takes half the time.
  const axe = new AxeBuilder({ page })
    .exclude('[data-live-announcer]')
    .setLegacyMode()
    // Without this option, axe also describes every element that passes.
    .options({ resultTypes: ['violations'] })
  const { violations } = await axe.analyze()
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`),
  ).toEqual([])
}
