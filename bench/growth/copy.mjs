/** Writes rows with COPY. `columns` maps each column name to a function that gets its value from a row. */
export function copyRows(client, table, columns, rows) {
  const getters = Object.values(columns)
  const lines = rows.map((row) => getters.map((get) => encodeField(get(row))).join('\t'))
  const text = Buffer.from(lines.join('\n'))
  return new Promise((resolve, reject) => {
    // The driver has no interface for COPY, so this uses the one for custom queries.
    client.query({
      submit: (connection) =>
        void connection.query(`copy ${table} (${Object.keys(columns)}) from stdin`),
      handleCopyInResponse(connection) {
        connection.sendCopyFromChunk(text)
        connection.endCopyFrom()
      },
      handleCommandComplete() {},
      handleReadyForQuery: resolve,
      handleError: reject,
    })
  })
}

function encodeField(value) {
  if (value === null) return '\\N'
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'object') return encodeField(JSON.stringify(value))
  return String(value).replaceAll('\\', '\\\\')
}
