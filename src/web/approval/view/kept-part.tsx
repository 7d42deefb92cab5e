import { Component, createRef } from 'preact';

/** An element that the server has rendered and that stays as it is: it is moved into the page and never drawn again. */
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
