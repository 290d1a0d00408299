/** A problem that only the operator can fix. The message says how. */
export class EmbeddedSetupError extends Error {}
