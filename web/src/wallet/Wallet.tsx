import { Card } from '../design/Card.tsx'
import { Page } from '../design/Page.tsx'
import { useLanguage } from './language.ts'

export function Wallet() {
  const language = useLanguage()
  const { say } = language
  return (
    <Page title={say('title')} language={language} isSandbox={false}>
      <Card>{say('notYet')}</Card>
    </Page>
  )
}
