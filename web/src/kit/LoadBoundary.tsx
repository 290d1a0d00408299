import { Component, type ReactNode } from 'react'
import { initialLocale, ReloadPage } from './language.tsx'

/**
 * Offers to reload the page if rendering throws an error, usually because a part of the page did not load. Reloads it when
 * the network is back.
 */
export class LoadBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidMount() {
    addEventListener('online', this.reload)
    addEventListener('hashchange', this.retry)
  }

  override componentWillUnmount() {
    removeEventListener('online', this.reload)
    removeEventListener('hashchange', this.retry)
  }

  reload = () => {
    if (this.state.hasFailed) location.reload()
  }

  /** Another page may work. */
  retry = () => this.setState({ hasFailed: false })

  override render() {
    return this.state.hasFailed ? <ReloadPage locale={initialLocale()} /> : this.props.children
  }
}
