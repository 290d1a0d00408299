import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const path = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const source = readFileSync(path, 'utf8')

const OPTIONS: axe.RunOptions = {
  // Without this option, axe also describes every element that passes.
  resultTypes: ['violations'],
  // Otherwise axe loads style sheets and media again, for rules that are disabled or don't apply.
  preload: false,
}

/** Expects that axe reports no violation. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const frame of page.frames())
    if (await frame.evaluate('window.axe === undefined')) await frame.evaluate(source)
  const violations = await page.evaluate(async (options) => {
    const { run } = (window as unknown as { axe: typeof axe }).axe
    // React Aria's announcer keeps the name of a removed button for a few seconds.
    const { violations } = await run({ exclude: ['[data-live-announcer]'] }, options)
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  }, OPTIONS)
  expect(violations).toEqual([])
}
