export function SandboxRibbon({ word, note }: { word: string; note: string }) {
  return (
    <p className="ribbon">
      <strong>{word}</strong> {note}
    </p>
  )
}
