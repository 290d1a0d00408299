/** The values of each field, as arrays for `unnest`. */
export const columns = <Row>(rows: readonly Row[], ...fields: (keyof Row)[]): unknown[][] =>
  fields.map((field) => rows.map((row) => row[field]))
