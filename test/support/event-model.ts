/** What a consumer knows of the market from its events alone. */
export class EventModel {
  private told: any[] = [];

  /** Takes an event. Events come in the order of the log. */
  take(event: any): void {
    if (event.type !== 'chain.reverted') {
      this.told.push(event);
      return;
    }
    const undone = new Set<string>(event.data.event_ids);
    const known = this.told.filter(({ id }) => undone.has(id)).length;
    if (known !== undone.size) throw new Error(`${event.id} undoes ${undone.size} events, of which ${known} were told`);
    this.told = this.told.filter(({ id }) => !undone.has(id));
  }

  /** What was told and not taken back. */
  get standing(): readonly any[] {
    return this.told;
  }

  /** Status of every node, by its id. */
  get nodes(): Record<string, string> {
    return this.statuses('node');
  }

  /** Status of every task, by its id. */
  get tasks(): Record<string, string> {
    return this.statuses('task');
  }

  private statuses(kind: string): Record<string, string> {
    const statuses: Record<string, string> = {};
    for (const { subject, data } of this.told) {
      if (subject.kind === kind && data.status) statuses[subject.id] = data.status.to;
    }
    return statuses;
  }
}
