import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** The names and the sentences of the fields that show a problem. */
export async function problemsIn(form: Locator): Promise<Record<string, string>> {
  const shown = form.locator('.field:has(.field-problem), .group:has(.field-problem)')
  const found = await shown.evaluateAll((fields) =>
    fields.map((field) => [
      field.querySelector<HTMLInputElement>('[name]')?.name ?? 'group',
      field.querySelector('.field-problem [role=alert]')?.textContent ?? '',
    ]),
  )
  return Object.fromEntries(found)
}

type Step = {
  /** The button that opens the form. Omitted if the page shows the form. */
  readonly open?: string
  readonly form: string
  readonly fill: Readonly<Record<string, string>>
  /** Checkboxes to clear, by their labels. */
  readonly uncheck?: readonly string[]
  readonly expected: Readonly<Record<string, string>>
}

/** Sends a form with wrong values, and expects a sentence at each wrong field and the focus on the first. */
export async function expectProblems(page: Page, step: Step): Promise<void> {
  if (step.open) await page.getByRole('button', { name: step.open, exact: true }).first().click()
  const form = page.locator(step.form)
  await form.waitFor()
  if (step.open && step.form.startsWith('.dialog')) await expectFocusInFirstField(form)
  for (const [name, value] of Object.entries(step.fill)) {
    const field = form.locator(`[name="${name}"]`)
    const isList = await field.evaluate((element) => element.tagName === 'SELECT')
    if (isList) await field.selectOption(value)
    else await field.fill(value)
  }
  for (const label of step.uncheck ?? []) await form.getByLabel(label, { exact: true }).uncheck()
  await form.locator('button[type=submit]').click()
  await expect.poll(() => problemsIn(form)).toEqual(step.expected)
  const first = form.locator('.field:has(.field-problem), .group:has(.field-problem)').first()
  await expect
    .poll(() => first.evaluate((element) => element.contains(document.activeElement)))
    .toBe(true)
}

/** Expects that the first field of a dialog has the focus when it opens. */
async function expectFocusInFirstField(form: Locator): Promise<void> {
  const isFocused = () =>
    form.evaluate((own) => own.querySelector('input, select') === document.activeElement)
  await expect.poll(isFocused).toBe(true)
}

export async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.locator('.dialog').waitFor({ state: 'detached' })
}
