/** Tests of the suites that can't run on a cluster, each with the reason. */
export const EXCEPTIONS: readonly { readonly test: string; readonly reason: string }[] = []
