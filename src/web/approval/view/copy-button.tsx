import { Component } from 'preact';

/** Puts a text on the clipboard and says so. */
export class CopyButton extends Component<{ text: string; label: string }, { said: string }> {
  override state = { said: '' };

  private readonly copy = (): void => {
    navigator.clipboard.writeText(this.props.text).then(
      () => this.setState({ said: 'Copied' }),
      () => this.setState({ said: 'The browser does not let this page copy' }),
    );
  };

  override render() {
    return (
      <span class="copy-control">
        <button type="button" onClick={this.copy}>
          {this.props.label}
        </button>
        <span role="status" class="small">
          {this.state.said}
        </span>
      </span>
    );
  }
}
