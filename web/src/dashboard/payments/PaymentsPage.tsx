import type { PageProps } from '../pageProps.ts'
import { PaymentList } from './PaymentList.tsx'
import { PaymentPage } from './PaymentPage.tsx'

export function PaymentsPage({ id }: PageProps) {
  return id === '' ? <PaymentList /> : <PaymentPage id={id} />
}
