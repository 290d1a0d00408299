export { useLanguage } from '../people/language.ts'
