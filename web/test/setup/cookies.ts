import type { Page } from 'playwright-core'

/** Sets the cookie like a sign-in. Playwright's own method sets a domain, which a `__Host-` cookie must not have. */
export async function setSessionCookie(
  page: Page,
  { name, value, origin }: { name: string; value: string; origin: string },
): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const { success } = await devtools.send('Network.setCookie', {
    name,
    value,
    url: `${origin}/`,
    path: '/',
    secure: true,
    httpOnly: true,
    sameSite: 'Strict',
  })
  if (!success) throw new Error('The browser did not accept the cookie')
}
