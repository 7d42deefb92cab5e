/** Labels with their values. */
export type Lines = readonly (readonly [label: string, value: string])[];

interface Question {
  /** Name of the wallet. */
  name: string;
  question: string;
  yes: string;
  lines: Lines;
}

/** Asks the person; false when they decline or close the dialog. */
export async function confirm({ name, question, yes, lines }: Question): Promise<boolean> {
  const facts = element('dl');
  facts.className = 'facts';
  for (const [label, value] of lines) {
    const shown = element('dd');
    shown.append(element('code', value));
    facts.append(element('dt', label), shown);
  }
  const accept = button(yes, 'yes');
  accept.className = 'primary';
  return (await answer(name, question, [facts], [accept, button('Decline', '')])) === 'yes';
}

/** Lets the person choose one; null when they close the dialog. */
export async function choose(
  name: string,
  question: string,
  options: readonly { text: string; value: string }[],
): Promise<string | null> {
  const buttons = options.map(({ text, value }) => button(text, value));
  return (await answer(name, question, [], [...buttons, button('Cancel', '')])) || null;
}

/** Shows a modal dialog until one of its buttons is pressed; gives that button's value, empty for Escape. */
function answer(name: string, question: string, content: readonly Node[], buttons: readonly Node[]): Promise<string> {
  const dialog = element('dialog');
  dialog.setAttribute('aria-labelledby', 'test-wallet-question');
  const heading = element('h2', `${name}: ${question}`);
  heading.id = 'test-wallet-question';
  const form = element('form');
  form.method = 'dialog';
  form.className = 'actions';
  form.append(...buttons);
  dialog.append(heading, element('p', 'A wallet of this local market. Nothing here is real money.'), ...content, form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
  });
}

function button(text: string, value: string): HTMLButtonElement {
  const made = element('button', text);
  made.value = value;
  return made;
}

function element<T extends keyof HTMLElementTagNameMap>(name: T, text = ''): HTMLElementTagNameMap[T] {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
