import type { BrowserContextOptions, Page } from 'playwright-core'
import type { OperatorRole } from '../../../server/src/core/operator.ts'
import { createOperator, type TestOperator } from '../../../server/test/setup/operators.ts'
import type { WatchedPage } from './browser.ts'
import { setSessionCookie } from './cookies.ts'
import type { Site } from './site.ts'

/** Creates an operator and opens a page with their session, without the sign-in page. */
export async function openConsole(
  site: Site,
  options: BrowserContextOptions = {},
  role: OperatorRole = 'admin',
): Promise<WatchedPage & { operator: TestOperator }> {
  const operator = await createOperator(site.t, role)
  const watched = await site.open({ viewport: { width: 1280, height: 800 }, ...options })
  const [name, value] = operator.headers.cookie!.split('=') as [string, string]
  await setSessionCookie(watched.page, { name, value, origin: site.origin })
  return { ...watched, operator }
}

export async function show(page: Page, path: string, heading: string): Promise<void> {
  await page.goto(`/operator#/${path}`)
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
}

/** Presses an action button, fills its form, confirms, and waits until the form closes. A result can replace it. */
export async function act(
  page: Page,
  button: string,
  { fields = {}, confirm = button }: { fields?: Record<string, string>; confirm?: string } = {},
): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  for (const [label, value] of Object.entries(fields)) {
    const field = dialog.getByLabel(label, { exact: true })
    const isList = await field.evaluate((element) => element.tagName === 'SELECT')
    if (isList) await field.selectOption(value)
    else await field.fill(value)
  }
  await dialog.getByRole('button', { name: confirm, exact: true }).click()
  await dialog.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' })
}
