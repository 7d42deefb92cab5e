/** The request that an action was prepared by: enough to ask the same again, and to recompute its digest. */
export interface OriginatingRequest {
  /** Path without the base URL's. */
  readonly path: string;
  /** Identifiers in the path by the names of the interface (`task_id`). */
  readonly params: Readonly<Record<string, string>>;
  /** As it was sent; absent: there was no body. */
  readonly body?: object;
}
