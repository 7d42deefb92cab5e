import { ApiExtension } from '@nestjs/swagger';

/** Where the class of a body keeps its keywords until the document is complete (request-bodies.ts). */
export const BODY_KEYWORDS = 'x-body-keywords';

/** Says in the document what the members of a body cannot say one by one, in keywords of JSON Schema. */
export function BodyKeywords(keywords: { minProperties: number }): ClassDecorator {
  return ApiExtension(BODY_KEYWORDS, keywords);
}
