import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** What axe holds against a page, each with where; nothing may be. */
export async function expectAccessible(page: Page): Promise<void> {
  // React Aria's announcer still names, for a few seconds, a button that has gone with its page.
  // Its other way opens a page of its own for frames of strangers, which we never have, at twice the time.
  const axe = new AxeBuilder({ page }).exclude('[data-live-announcer]').setLegacyMode()
  const { violations } = await axe.analyze()
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`),
  ).toEqual([])
}
