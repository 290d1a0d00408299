import type { Translation } from '../../say.ts'
import { words as books } from '../books/ar.ts'
import { words as console } from '../console/ar.ts'
import { words as developers } from '../developers/ar.ts'
import { words as people } from '../people/ar.ts'
import { words as settings } from '../settings/ar.ts'
import type { words as source } from './en.ts'

export const words: Translation<typeof source> = {
  ...people,
  ...console,
  ...books,
  ...developers,
  ...settings,
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
