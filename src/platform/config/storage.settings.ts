import { IsInt, IsNotEmpty, IsOptional, IsString, Matches, Max, Min, ValidateIf } from 'class-validator';
import { ChainSettings } from './chain.settings.js';

const ORIGIN = /^https?:\/\/[^/\s?#]+$/;
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** 5 GiB; far below what a store of either kind takes. */
const MAX_ARTIFACT_BYTES = 5_368_709_120;
const DAY_SECONDS = 86_400;
const MAX_QUOTA = 1_000_000_000_000;

/** Settings of the store of artifacts, of the quotas of an account, and of how long records are kept. */
export abstract class StorageSettings extends ChainSettings {
  /** Most bytes of one artifact. */
  @IsInt()
  @Min(1024)
  @Max(MAX_ARTIFACT_BYTES)
  artifactMaxBytes = 104_857_600;

  /** Folder of the artifacts in custody, when no bucket is given; relative to the folder the service starts in. */
  @IsNotEmpty()
  artifactDir = 'data/artifacts';

  /** Bucket of an S3-compatible store for the artifacts; null = they are kept in `artifactDir`. */
  @IsOptional()
  @Matches(BUCKET, { message: 'must be the name of a bucket' })
  artifactS3Bucket: string | null = null;

  /** Where that store is; null = at Amazon. */
  @IsOptional()
  @Matches(ORIGIN, { message: 'must be an http(s) URL without path, query or fragment' })
  artifactS3Endpoint: string | null = null;

  @IsNotEmpty()
  artifactS3Region = 'us-east-1';

  /** Null = the credentials of the machine, as the AWS SDK finds them. */
  @ValidateIf(hasOneOfKeyPair)
  @IsString()
  artifactS3AccessKeyId: string | null = null;

  @ValidateIf(hasOneOfKeyPair)
  @IsString()
  artifactS3SecretAccessKey: string | null = null;

  /** How long idempotency keys are kept; longer than any prepared action lives. */
  @IsInt()
  @Min(3600)
  @Max(90 * DAY_SECONDS)
  idempotencyRetentionSeconds = DAY_SECONDS;

  /** Most bytes that one account may have in custody without a delivery; 0 = no limit, as for every quota below. */
  @IsInt()
  @Min(0)
  @Max(MAX_QUOTA)
  quotaCustodyBytes = 524_288_000;

  /** Most bytes of answers that one account may have stored for its idempotency keys. */
  @IsInt()
  @Min(0)
  @Max(MAX_QUOTA)
  quotaAnswerBytes = 536_870_912;

  /** Most artifacts that one account may have in custody without a delivery. */
  @IsInt()
  @Min(0)
  @Max(MAX_QUOTA)
  quotaCustodyItems = 200;

  /**
   * How long an artifact without a delivery stays in custody, from its upload, or from the end of the action that was
   * to deliver it.
   */
  @IsInt()
  @Min(DAY_SECONDS)
  @Max(365 * DAY_SECONDS)
  quotaCustodySeconds = 14 * DAY_SECONDS;

  /** Most tasks of one account that the chain knows nothing of: drafts, and tasks that nobody has paid for. */
  @IsInt()
  @Min(0)
  @Max(MAX_QUOTA)
  quotaTasks = 300;

  /** Most prepared actions of one account and one kind that were not executed, until they are deleted. */
  @IsInt()
  @Min(0)
  @Max(MAX_QUOTA)
  quotaActions = 5_000;

  /** Most agents of one account, retired ones included. */
  @IsInt()
  @Min(0)
  @Max(MAX_QUOTA)
  quotaAgents = 100;

  /**
   * Most rows of the audit record for one kind of event, client network and hour while nobody is signed in; events
   * without a row are still counted.
   */
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  auditAnonymousRows = 20;

  /** Days for which the audit record of an account is kept. */
  @IsInt()
  @Min(90)
  @Max(3_650)
  auditRetentionDays = 400;
}

/** True when one half of the pair is given: then the other must be. */
function hasOneOfKeyPair({ artifactS3AccessKeyId, artifactS3SecretAccessKey }: StorageSettings): boolean {
  return (artifactS3AccessKeyId === null) !== (artifactS3SecretAccessKey === null);
}
