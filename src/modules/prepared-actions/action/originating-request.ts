/** The request by which an action was prepared, complete enough to repeat it and to recompute its digest. */
export interface OriginatingRequest {
  /** Path of the request, without the path of the base URL. */
  readonly path: string;
  /** Identifiers in the path by the names of the interface (`task_id`). */
  readonly params: Readonly<Record<string, string>>;
  /** As it was sent; absent: there was no body. */
  readonly body?: object;
}
