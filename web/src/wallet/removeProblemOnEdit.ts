/**
 * Returns a function that wraps the setters of fields, so that an edit removes the last refusal, which is about the text
 * before the edit.
 */
export const removeProblemOnEdit =
  (removeProblem: () => void) =>
  <Value>(set: (value: Value) => void) =>
  (value: Value): void => {
    removeProblem()
    set(value)
  }
