import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  type MultipartUpload,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { Environment } from '../config/environment.js';
import {
  checkedKey,
  isKey,
  type ListedObject,
  type ObjectKey,
  ObjectStore,
  type OpenObject,
  type StagedObject,
  sweepEach,
} from './object-store.js';
import { ofStorage, StorageUnavailableError } from './storage-unavailable.error.js';

/** Stores ask for at least 5 MiB in every part but the last; one part per upload is in memory at a time. */
const PART_BYTES = 8 * 1024 * 1024;
const PREFIX = 'sha256/';
const CONNECT_MS = 3_000;
const ANSWER_MS = 30_000;
const ATTEMPTS = 3;

type S3Settings = Pick<
  Environment,
  'artifactS3Endpoint' | 'artifactS3Region' | 'artifactS3AccessKeyId' | 'artifactS3SecretAccessKey'
>;

/**
 * Objects in a bucket of an S3-compatible store. A staged object is a multipart upload: it has no name that anybody
 * could read until it is completed, and an aborted one leaves nothing.
 */
export class S3ObjectStore extends ObjectStore {
  private readonly client: S3Client;

  constructor(
    private readonly bucket: string,
    settings: S3Settings,
  ) {
    super();
    this.client = new S3Client(clientOptions(settings));
  }

  async stage(key: ObjectKey, source: AsyncIterable<Uint8Array>): Promise<StagedObject> {
    const upload = await StagedUpload.begin(this.client, this.bucket, nameOf(key));
    try {
      for await (const part of partsOf(source)) await upload.add(part);
      return upload;
    } catch (error) {
      await upload.discard();
      throw error;
    }
  }

  async open(key: ObjectKey, first?: number): Promise<OpenObject | null> {
    const range = first === undefined ? {} : { Range: `bytes=0-${first - 1}` };
    const command = new GetObjectCommand({ Bucket: this.bucket, Key: nameOf(key), ...range });
    const answer = await ofStorage(existing(this.client.send(command)));
    if (!answer) return null;
    if (!(answer.Body instanceof Readable)) throw new StorageUnavailableError(new Error('The store sent no stream'));
    // `bytes 0-255/1024`: of a part, the length that is sent is not that of the object.
    const whole = answer.ContentRange?.split('/')[1];
    return { bytes: whole === undefined ? (answer.ContentLength ?? 0) : Number(whole), stream: answer.Body };
  }

  async sizeOf(key: ObjectKey): Promise<number | null> {
    const command = new HeadObjectCommand({ Bucket: this.bucket, Key: nameOf(key) });
    const answer = await ofStorage(existing(this.client.send(command)));
    return answer && (answer.ContentLength ?? 0);
  }

  async remove(key: ObjectKey): Promise<void> {
    await ofStorage(this.client.send(new DeleteObjectCommand({ Bucket: this.bucket, Key: nameOf(key) })));
  }

  async list(behind: ObjectKey, most: number): Promise<ListedObject[]> {
    const listed: ListedObject[] = [];
    const place = { Bucket: this.bucket, Prefix: PREFIX, MaxKeys: most };
    let page: ListObjectsV2CommandOutput | undefined;
    let last = `${PREFIX}${behind}`;
    do {
      page = await ofStorage(this.client.send(new ListObjectsV2Command({ ...place, StartAfter: last })));
      for (const { Key, LastModified } of page.Contents ?? []) {
        last = Key ?? last;
        const key = last.slice(PREFIX.length);
        if (isKey(key) && LastModified !== undefined) listed.push({ key, since: LastModified });
      }
    } while (page.IsTruncated === true && listed.length < most);
    return listed.slice(0, most);
  }

  async sweep(before: Date): Promise<number> {
    const uploads: MultipartUpload[] = [];
    let page: ListMultipartUploadsCommandOutput | undefined;
    do {
      page = await ofStorage(this.client.send(new ListMultipartUploadsCommand(this.pageAfter(page))));
      uploads.push(...(page.Uploads ?? []));
    } while (page.IsTruncated === true);
    return sweepEach(uploads, async ({ Key, UploadId, Initiated }) => {
      if (Key === undefined || UploadId === undefined || Initiated === undefined || Initiated >= before) return false;
      await ofStorage(this.client.send(new AbortMultipartUploadCommand({ Bucket: this.bucket, Key, UploadId })));
      return true;
    });
  }

  private pageAfter(last: ListMultipartUploadsCommandOutput | undefined) {
    const first = { Bucket: this.bucket, Prefix: PREFIX };
    return last ? { ...first, KeyMarker: last.NextKeyMarker, UploadIdMarker: last.NextUploadIdMarker } : first;
  }
}

class StagedUpload implements StagedObject {
  private readonly parts: { ETag: string | undefined; PartNumber: number }[] = [];
  private isEnded = false;

  private constructor(
    private readonly client: S3Client,
    private readonly upload: { Bucket: string; Key: string; UploadId: string },
  ) {}

  static async begin(client: S3Client, bucket: string, name: string): Promise<StagedUpload> {
    const place = { Bucket: bucket, Key: name };
    const { UploadId } = await ofStorage(client.send(new CreateMultipartUploadCommand(place)));
    if (UploadId === undefined) throw new StorageUnavailableError(new Error('The store began no upload'));
    return new StagedUpload(client, { ...place, UploadId });
  }

  async add(part: Uint8Array): Promise<void> {
    const PartNumber = this.parts.length + 1;
    const command = new UploadPartCommand({ ...this.upload, PartNumber, Body: part });
    const { ETag } = await ofStorage(this.client.send(command));
    this.parts.push({ ETag, PartNumber });
  }

  async publish(): Promise<void> {
    if (this.isEnded) throw new StorageUnavailableError(new Error('What was staged is gone'));
    this.isEnded = true;
    const command = new CompleteMultipartUploadCommand({ ...this.upload, MultipartUpload: { Parts: this.parts } });
    try {
      await ofStorage(this.client.send(command));
    } catch (error) {
      await this.abort();
      throw error;
    }
  }

  async discard(): Promise<void> {
    if (this.isEnded) return;
    this.isEnded = true;
    await this.abort();
  }

  private async abort(): Promise<void> {
    await this.client.send(new AbortMultipartUploadCommand(this.upload)).catch(() => undefined);
  }
}

function clientOptions(settings: S3Settings) {
  const { artifactS3Endpoint, artifactS3AccessKeyId, artifactS3SecretAccessKey } = settings;
  return {
    region: settings.artifactS3Region,
    maxAttempts: ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS, throwOnRequestTimeout: true },
    // Not every compatible store knows the newer checksums; the payload's SHA-256 is signed anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED' as const,
    responseChecksumValidation: 'WHEN_REQUIRED' as const,
    // Only Amazon gives every bucket a host name of its own.
    ...(artifactS3Endpoint === null ? {} : { endpoint: artifactS3Endpoint, forcePathStyle: true }),
    ...(artifactS3AccessKeyId === null || artifactS3SecretAccessKey === null
      ? {}
      : { credentials: { accessKeyId: artifactS3AccessKeyId, secretAccessKey: artifactS3SecretAccessKey } }),
  };
}

/** The bytes in parts of PART_BYTES, the last one shorter. A part is valid only until the next one is asked for. */
async function* partsOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const part = Buffer.allocUnsafe(PART_BYTES);
  let filled = 0;
  for await (const chunk of source) {
    for (let taken = 0; taken < chunk.length;) {
      const piece = chunk.subarray(taken, taken + PART_BYTES - filled);
      part.set(piece, filled);
      filled += piece.length;
      taken += piece.length;
      if (filled < PART_BYTES) continue;
      yield part;
      filled = 0;
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}

function nameOf(key: ObjectKey): string {
  return `${PREFIX}${checkedKey(key)}`;
}

/** Null instead of the error that there is no such object; that there is no such bucket stays an error. */
async function existing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    const isMissing = error instanceof S3ServiceException && ['NoSuchKey', 'NotFound'].includes(error.name);
    if (isMissing) return null;
    throw error;
  }
}
