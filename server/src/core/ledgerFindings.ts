/** The largest number of findings that an audit of the ledger reports for each check. This file also runs in browsers. */
export const MAX_FINDINGS = 100
