/** Opens a signing link and declines its action as a browser would, for a person at a terminal. */
export class SigningLink {
  private constructor(
    private readonly url: string,
    private readonly cookie: string,
  ) {}

  /** Opens the link as a browser does. Returns null when another browser has opened it already. */
  static async open(url: string): Promise<SigningLink | null> {
    const response = await send(`${url}/claim`, '', new URLSearchParams());
    const cookies = response.headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '');
    return response.status === 303 && cookies.length > 0 ? new SigningLink(url, cookies.join('; ')) : null;
  }

  /** Declines the action. Returns true when the service has accepted that. */
  async decline(): Promise<boolean> {
    const { status } = await send(`${this.url}/decline`, this.cookie, {});
    return status === 200;
  }
}

function send(url: string, cookie: string, body: URLSearchParams | object): Promise<Response> {
  const isForm = body instanceof URLSearchParams;
  return fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      Origin: new URL(url).origin,
      Cookie: cookie,
      Accept: isForm ? 'text/html' : 'application/json',
      ...(isForm ? {} : { 'Content-Type': 'application/json' }),
    },
    body: isForm ? body : JSON.stringify(body),
  });
}
