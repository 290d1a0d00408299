import { expect } from 'vitest'
import type { Service } from '../../src/service.ts'

/** Expects that no transaction was retried, and that no batch failed and was split. */
export async function expectNoRetries(services: readonly Service[]): Promise<void> {
  for (const { metrics } of services) {
    for (const name of ['florin_transaction_retries_total', 'florin_batch_splits_total']) {
      const { values } = await metrics.registry.getSingleMetric(name)!.get()
      expect([name, values]).toEqual([name, []])
    }
  }
}
