import type { Translation } from '../../translate.ts'
import { words as common } from '../common/ar.ts'
import type { words as source } from './en.ts'

export const words: Translation<typeof source> = {
  ...common,
  title: 'مدفوعات Florin',
  intro: 'اقبل المدفوعات برمز QR. يمسحه العميل بمحفظته ويرى المتجر فورًا أنه دفع.',
  apps: 'فتح',
  wallet: 'المحفظة',
  walletNote: 'للعملاء: المسح والدفع وعرض الإيصالات.',
  till: 'صندوق البيع',
  tillNote: 'لأمناء الصندوق: تحصيل مبلغ وعرض الرمز.',
  dashboard: 'لوحة التحكم',
  dashboardNote: 'لأصحاب المتاجر: المدفوعات والمبالغ المُعادة والرصيد ومفاتيح API.',
  operator: 'وحدة تحكم المشغّل',
  operatorNote: 'لمشغّل هذه الخدمة.',
  docs: 'مرجع API',
  docsNote: 'للمطورين: كل نقاط الوصول مع أمثلة.',
  demoTitle: 'بيانات دخول العرض التجريبي',
  demoNote: 'تعمل فقط في هذه الخدمة التجريبية.',
  version: 'الإصدار {version}',
  notFoundTitle: 'الصفحة غير موجودة',
  notFoundNote: 'تحقق من العنوان أو انتقل إلى صفحة البداية.',
  needsScript: 'تحتاج هذه الصفحة إلى JavaScript. فعّله في متصفحك ثم أعد تحميل الصفحة.',
  notLoaded: 'لم يتم تحميل الصفحة. أعد تحميلها، وإن لم ينجح ذلك فحدّث متصفحك.',
  toStart: 'صفحة البداية',
}
