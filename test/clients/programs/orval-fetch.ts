let baseUrl = '';

/** Sets the base URL of the generated functions, because the URLs that orval generates have no host. */
export function callAt(url: string): void {
  baseUrl = url;
}

/** The generated functions call this with a path of the document and the settings of the request. */
export async function call<T>(path: string, init: RequestInit): Promise<T> {
  const response = await fetch(`${baseUrl}${path}`, init);
  return { status: response.status, headers: response.headers, data: await response.json() } as T;
}
