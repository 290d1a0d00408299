import type { Translation } from '../../translate.ts'
import type { words as source } from './en.ts'

export const words: Translation<typeof source> = {
  language: 'اللغة',
  sandbox: 'وضع تجريبي',
  sandboxNote: 'لا تنتقل هنا أموال حقيقية.',
  pending: 'في انتظار الدفع',
  completed: 'تم الدفع',
  failed: 'فشل الدفع',
  expired: 'انتهت المهلة',
  cancelled: 'أُلغيت',
  refunded: 'أُعيد المبلغ',
  needsHttps:
    'هذا العنوان لا يبدأ بـ https، لذلك لا يمكنك البقاء مسجّل الدخول. افتح عنوان https لهذه الخدمة.',
  needsOtherBrowser:
    'هذا المتصفح لا يُبقيك مسجّل الدخول على localhost بدون https. استخدم Chrome أو Edge أو Firefox، أو افتح عنوان https لهذه الخدمة.',
  wrongAddress: 'لا يمكن استخدام هذه الخدمة على هذا العنوان. افتح {address} بدلًا منه.',
}
