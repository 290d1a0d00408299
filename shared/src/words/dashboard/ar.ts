import type { Translation } from '../../say.ts'
import { words as console } from '../console/ar.ts'
import { words as people } from '../people/ar.ts'
import type { words as source } from './en.ts'

export const words: Translation<typeof source> = {
  ...people,
  ...console,
  title: 'لوحة التحكم',
  overview: 'نظرة عامة',
  payments: 'المدفوعات',
  balance: 'الرصيد',
  developers: 'المطوّرون',
  settings: 'الإعدادات',
  account: 'حسابك',
  name: 'الاسم',
  role: 'الدور',
  store: 'المتجر',
  openTill: 'فتح صندوق البيع',
  notYours: 'دورك لا يشمل هذه الصفحة. اطلبها من مالك المتجر.',
  noPage: 'لا توجد صفحة كهذه.',
  time: 'الوقت',
  status: 'الحالة',
  amount: 'المبلغ',
}
