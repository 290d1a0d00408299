import './payments.css'
import { PaymentList } from './PaymentList.tsx'
import { PaymentPage } from './PaymentPage.tsx'

/** The list of payments, or one payment. */
export function PaymentsPage({ id }: { id: string }) {
  return id === '' ? <PaymentList /> : <PaymentPage id={id} />
}
