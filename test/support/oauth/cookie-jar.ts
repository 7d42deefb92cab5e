interface Cookie {
  value: string;
  path: string;
  isSecure: boolean;
}

/** The cookies of one person at one origin, kept as a browser does: by name and path, and sent to paths below. */
export class CookieJar {
  private readonly cookies = new Map<string, Cookie>();

  /** Stores the cookies that an answer sets, and removes those that it clears. */
  take(url: URL, headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const name = pair.slice(0, pair.indexOf('='));
      const value = pair.slice(pair.indexOf('=') + 1);
      const path = attributeOf(attributes, 'path') ?? url.pathname.slice(0, url.pathname.lastIndexOf('/') || 1);
      const isSecure = attributes.some((attribute) => attribute.toLowerCase() === 'secure');
      const expires = attributeOf(attributes, 'expires');
      const isOver =
        attributeOf(attributes, 'max-age') === '0' || (expires !== null && new Date(expires) <= new Date());
      if (isOver) this.cookies.delete(`${name};${path}`);
      else this.cookies.set(`${name};${path}`, { value, path, isSecure });
    }
  }

  /** The `Cookie` header for a request to this URL. */
  header(url: URL): Record<string, string> {
    const fitting = [...this.cookies]
      .filter(([, { path, isSecure }]) => isBelow(url.pathname, path) && (!isSecure || url.protocol === 'https:'))
      .map(([key, { value }]) => `${key.slice(0, key.lastIndexOf(';'))}=${value}`);
    return fitting.length === 0 ? {} : { Cookie: fitting.join('; ') };
  }

  /** Name and value of every cookie. */
  get all(): [string, string][] {
    return [...this.cookies].map(([key, { value }]) => [key.slice(0, key.lastIndexOf(';')), value]);
  }

  /** Another jar with the same cookies, like a copied browser profile. */
  copy(): CookieJar {
    const jar = new CookieJar();
    for (const [key, cookie] of this.cookies) jar.cookies.set(key, cookie);
    return jar;
  }

  /** Removes the cookies whose names match. */
  forget(name: RegExp): void {
    for (const key of this.cookies.keys()) if (name.test(key.slice(0, key.lastIndexOf(';')))) this.cookies.delete(key);
  }
}

function attributeOf(attributes: readonly string[], name: string): string | null {
  const found = attributes.find((attribute) => attribute.toLowerCase().startsWith(`${name}=`));
  return found?.slice(name.length + 1) ?? null;
}

function isBelow(path: string, parent: string): boolean {
  return path === parent || path.startsWith(parent.endsWith('/') ? parent : `${parent}/`);
}
