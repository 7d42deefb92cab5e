let baseUrl = '';

/** Says where the generated functions call from now on; the URLs that orval makes have no host. */
export function callAt(url: string): void {
  baseUrl = url;
}

/** A generated function calls this with a path of the document and what it and its caller want of the request. */
export async function call<T>(path: string, init: RequestInit): Promise<T> {
  const response = await fetch(`${baseUrl}${path}`, init);
  return { status: response.status, headers: response.headers, data: await response.json() } as T;
}
