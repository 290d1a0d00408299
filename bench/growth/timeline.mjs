const HOUR_MS = 3_600_000

/**
 * Holds transfers back until their time, because a service appends them in order of time: a refund may be weeks
 * after its payment.
 */
export function createTimeline() {
  const hours = new Map()
  const hourOf = (at) => Math.floor(at.getTime() / HOUR_MS)
  const add = (transfer) => {
    const hour = hourOf(transfer.at)
    const list = hours.get(hour)
    if (list) list.push(transfer)
    else hours.set(hour, [transfer])
  }
  return {
    /** Adds transfers, and returns all up to the end of the hour of `until`, in order. */
    take(transfers, until) {
      for (const transfer of transfers) add(transfer)
      const due = [...hours.keys()].filter((hour) => hour <= hourOf(until)).sort((a, b) => a - b)
      const taken = due.flatMap((hour) => hours.get(hour))
      for (const hour of due) hours.delete(hour)
      return taken.sort((a, b) => a.at - b.at)
    },
  }
}
