import { basePath } from '../kit/mount.tsx'

/** Once the page stands: what makes it open without a network must not hold it up. */
export async function keepForOffline(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  try {
    await navigator.serviceWorker.register(`${basePath}/wallet-worker.js`, {
      scope: `${basePath}/wallet`,
    })
    const { active } = await navigator.serviceWorker.ready
    active?.postMessage(performance.getEntriesByType('resource').map(({ name }) => name))
  } catch {
    // A browser may forbid it; the wallet then needs a network to open.
  }
}
