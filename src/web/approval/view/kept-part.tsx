import { Component, createRef } from 'preact';

/** A part of what the server has written that stays as it is: moved into the page, and never drawn again. */
export class KeptPart extends Component<{ part: Element | null }> {
  private readonly place = createRef<HTMLDivElement>();

  override componentDidMount(): void {
    if (this.props.part !== null) this.place.current?.append(this.props.part);
  }

  override shouldComponentUpdate(): boolean {
    return false;
  }

  override render() {
    return <div ref={this.place} />;
  }
}
