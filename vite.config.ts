import { fileURLToPath } from 'node:url';
import { minify } from '@swc/core';
import { defineConfig, minify as minifyAgain, type Plugin } from 'vite';

/**
 * The scripts of the pages, one file each so that each has one hash: what it imports is inside it. `--mode` names the
 * entry (src/dev/build.cjs builds them all).
 */
const ENTRIES: Readonly<Record<string, string>> = {
  approval: 'src/web/approval/approval.main.tsx',
  'approval-fixtures': 'src/web/approval-fixtures/approval-fixtures.main.tsx',
  deployment: 'src/web/deployment/deployment.main.ts',
  'test-wallet': 'src/web/test-wallet/test-wallet.main.ts',
  'wallet-sign-in': 'src/web/sign-in/wallet-sign-in.main.ts',
};

/**
 * Makes the one file of an entry small: what the compiler of our tests leaves, Vite's own makes smaller again. Functions
 * stay where they are, because copies of them in several places cost more than their calls.
 */
const small: Plugin = {
  name: 'small',
  async generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue;
      const { code } = await minify(file.code, {
        module: true,
        ecma: 2022,
        compress: {
          ecma: 2022,
          module: true,
          toplevel: true,
          passes: 6,
          pure_getters: true,
          unsafe_arrows: true,
          unsafe_regexp: true,
          inline: 0,
          reduce_funcs: false,
        },
        mangle: { toplevel: true },
        format: { comments: false },
      });
      const again = await minifyAgain(file.fileName, code, {
        module: true,
        compress: { target: 'es2022' },
        mangle: { toplevel: true },
      });
      file.code = again.code;
    }
  },
};

export default defineConfig(({ mode }) => {
  const entry = ENTRIES[mode];
  if (entry === undefined) throw new Error(`No entry is called ${mode}; there are ${Object.keys(ENTRIES).join(', ')}`);
  return {
    root: fileURLToPath(new URL('.', import.meta.url)),
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [small],
    resolve: {
      alias: [
        { find: /^#libs\/([^/]+)$/, replacement: fileURLToPath(new URL('libs/$1/src/index.ts', import.meta.url)) },
      ],
    },
    oxc: {
      jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' },
      jsxInject: `import { Fragment, h } from 'preact'`,
    },
    build: {
      target: 'es2022',
      minify: false,
      cssMinify: true,
      outDir: 'dist/web',
      emptyOutDir: false,
      cssCodeSplit: false,
      modulePreload: false,
      reportCompressedSize: false,
      rollupOptions: {
        // Our libraries only define things: what the page does not use of them is left out.
        treeshake: { moduleSideEffects: (id) => !id.includes('/libs/') && !id.includes('/node_modules/') },
        input: { [mode]: entry },
        output: { entryFileNames: '[name].js', assetFileNames: `${mode}[extname]`, codeSplitting: false },
      },
    },
  };
});
