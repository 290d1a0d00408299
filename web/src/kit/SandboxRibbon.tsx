export function SandboxRibbon({ word, note }: { word: string; note: string }) {
  return (
    <aside className="ribbon" aria-label={word}>
      <strong>{word}</strong> {note}
    </aside>
  )
}
