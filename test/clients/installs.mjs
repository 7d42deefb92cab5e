import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, runOrUnavailable, Unavailable } from './commands.mjs';

const HERE = import.meta.dirname;

const JAR_VERSION = '7.25.0';
const JAR_URL = `https://repo1.maven.org/maven2/org/openapitools/openapi-generator-cli/${JAR_VERSION}/openapi-generator-cli-${JAR_VERSION}.jar`;
const JAR_SHA512 =
  '6cbc80b67a6fd5e6c2a68ce617d06fad184ee22e80dc5a1f1e5b374e602d441f62e0b074e23304ace7b5df4ef4e3ebb9ac78fde17c1ad132f94d6cc2614e46b7';
const DOWNLOAD_MS = 180_000;

/**
 * Installs what package-lock.json pins into a folder, without running scripts.
 * @param from where that file is. @returns the folder of the packages.
 */
export async function installNode(folder, from = HERE) {
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    copyFileSync(join(from, name), join(folder, name));
  await runOrUnavailable('npm cannot install it', 'npm', ['ci', '--loglevel=error'], {
    cwd: folder,
  });
  return join(folder, 'node_modules');
}

/**
 * Installs what a file of requirements pins into a folder, without building anything. It is no virtual environment, because
 * the Python of some systems comes without what makes one; PYTHONPATH and `-s` keep it apart as well. @returns that folder.
 */
export async function installPython(folder, requirements = join(HERE, 'requirements.txt')) {
  await runOrUnavailable('there is no Python 3.10 or newer', 'python3', [
    '-c',
    'import sys, pip; sys.exit(sys.version_info < (3, 10))',
  ]);
  const options = ['--quiet', '--disable-pip-version-check', '--no-compile', '--require-hashes', '--only-binary=:all:'];
  const command = ['-m', 'pip', 'install', '--target', folder, '-r', requirements];
  await runOrUnavailable('pip cannot install what its client needs', 'python3', [...command, ...options]);
  return folder;
}

/** Downloads the generator that is written in Java. @returns a function that runs it. */
export async function installJava(folder) {
  await runOrUnavailable('there is no Java', 'java', ['-version']);
  const bytes = await download(JAR_URL);
  if (createHash('sha512').update(bytes).digest('hex') !== JAR_SHA512) {
    throw new Error(`${JAR_URL} is not the file that was pinned`);
  }
  mkdirSync(folder, { recursive: true });
  const jar = join(folder, 'openapi-generator.jar');
  writeFileSync(jar, bytes);
  // It runs only seconds, so the optimising compiler would take longer than it saves.
  return (args) => run('java', ['-XX:TieredStopAtLevel=1', '-jar', jar, 'generate', ...args], { cwd: folder });
}

async function download(url) {
  let answer;
  try {
    answer = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_MS) });
    if (answer.ok) return Buffer.from(await answer.arrayBuffer());
  } catch (error) {
    throw new Unavailable(`its jar cannot be downloaded (${error.cause?.message ?? error.message})`);
  }
  throw new Unavailable(`its jar cannot be downloaded (${answer.status})`);
}

/** The version of a package that package-lock.json pins. */
export function pinned(name) {
  const { packages } = JSON.parse(readFileSync(join(HERE, 'package-lock.json'), 'utf8'));
  return packages[`node_modules/${name}`].version;
}

export const JAVA_VERSION = JAR_VERSION;
