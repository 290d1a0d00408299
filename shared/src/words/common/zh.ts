import type { Translation } from '../../translate.ts'
import type { words as source } from './en.ts'

export const words: Translation<typeof source> = {
  language: '语言',
  sandbox: '测试环境',
  sandboxNote: '这里不涉及真实资金。',
  pending: '等待付款',
  completed: '已付款',
  failed: '付款失败',
  expired: '已过期',
  cancelled: '已取消',
  refunded: '已退款',
  needsHttps: '此地址不以 https 开头，因此无法保持登录。请打开此服务的 https 地址。',
  needsOtherBrowser:
    '此浏览器无法在没有 https 的 localhost 上保持登录。请使用 Chrome、Edge 或 Firefox，或打开此服务的 https 地址。',
  wrongAddress: '此地址无法使用此服务。请改为打开 {address}。',
}
