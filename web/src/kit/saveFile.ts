/** Saves a blob as a download with this file name. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser may read the URL only later, for example after asking where to save the file.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
