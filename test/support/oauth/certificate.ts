import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DAY_MS = 86_400_000;

/** A self-signed certificate, valid for a day (X.509, P-256), made without an external program. */
export class Certificate {
  private constructor(private readonly folder: string) {}

  static for(hosts: readonly string[]): Certificate {
    const folder = mkdtempSync(join(tmpdir(), 'tasktree-certificate-'));
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const body = certificateBody(hosts, publicKey.export({ type: 'spki', format: 'der' }));
    const der = sequence(body, ECDSA_WITH_SHA256, bits(sign('sha256', body, privateKey)));
    const certificate = new Certificate(folder);
    writeFileSync(certificate.keyPath, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    const lines = der.toString('base64').replace(/.{64}/g, '$&\n');
    writeFileSync(certificate.certificatePath, `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`);
    return certificate;
  }

  get certificatePath(): string {
    return join(this.folder, 'certificate.pem');
  }

  get keyPath(): string {
    return join(this.folder, 'key.pem');
  }

  /** The certificate and key for `https.createServer`. */
  get pair(): { cert: string; key: string } {
    return { cert: readFileSync(this.certificatePath, 'utf8'), key: readFileSync(this.keyPath, 'utf8') };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** One DER element: tag, length, content. */
function element(tag: number, ...content: Buffer[]): Buffer {
  const bytes = Buffer.concat(content);
  if (bytes.length < 0x80) return Buffer.concat([Buffer.from([tag, bytes.length]), bytes]);
  const length = Buffer.from(bytes.length.toString(16).padStart(4, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x82]), length, bytes]);
}

const sequence = (...content: Buffer[]): Buffer => element(0x30, ...content);
const bits = (content: Buffer): Buffer => element(0x03, Buffer.from([0]), content);
const octets = (content: Buffer): Buffer => element(0x04, content);
const oid = (hex: string): Buffer => element(0x06, Buffer.from(hex, 'hex'));
const utcTime = (date: Date): Buffer =>
  element(0x17, Buffer.from(`${date.toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`));

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
const COMMON_NAME = oid('550403');
const SUBJECT_ALTERNATIVE_NAME = oid('551d11');
const BASIC_CONSTRAINTS = oid('551d13');
const TRUE = element(0x01, Buffer.from([0xff]));
const VERSION_3 = element(0xa0, element(0x02, Buffer.from([2])));

function certificateBody(hosts: readonly string[], publicKey: Buffer): Buffer {
  const name = sequence(element(0x31, sequence(COMMON_NAME, element(0x0c, Buffer.from('tasktree specs')))));
  const names = hosts.map((host) =>
    isIPv4(host) ? element(0x87, Buffer.from(host.split('.').map(Number))) : element(0x82, Buffer.from(host)),
  );
  return sequence(
    VERSION_3,
    element(0x02, Buffer.from([1]), randomBytes(15)),
    ECDSA_WITH_SHA256,
    name,
    sequence(utcTime(new Date(Date.now() - DAY_MS)), utcTime(new Date(Date.now() + DAY_MS))),
    name,
    publicKey,
    element(
      0xa3,
      sequence(
        sequence(BASIC_CONSTRAINTS, TRUE, octets(sequence(TRUE))),
        sequence(SUBJECT_ALTERNATIVE_NAME, octets(sequence(...names))),
      ),
    ),
  );
}
