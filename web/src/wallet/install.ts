import { basePath } from '../kit/request.ts'

/** Registers the service worker, which lets the wallet open without a network. Call this when all files of the page are loaded. */
export async function enableOffline(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  try {
    await navigator.serviceWorker.register(`${basePath}/wallet-worker.js`, {
      scope: `${basePath}/wallet`,
    })
    const { active } = await navigator.serviceWorker.ready
    active?.postMessage(performance.getEntriesByType('resource').map(({ name }) => name))
  } catch {
    // A browser can forbid service workers. The wallet then needs a network to open.
  }
}
