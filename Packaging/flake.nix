# The release's program with Nix's libraries. Not run by Nix: nixpkgs has no Swift 6.2 to build it with.
{
  description = "Fast client of GitHub's issues for the terminal";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      version = "0.1.0";
      pkgs = nixpkgs.legacyPackages.x86_64-linux;
    in {
      packages.x86_64-linux.default = pkgs.stdenv.mkDerivation {
        pname = "issue-tracker";
        inherit version;
        src = pkgs.fetchurl {
          url = "ORIGIN/releases/download/${version}/issues-${version}-linux-x86_64.tar.gz";
          sha256 = "CHECKSUM";
        };
        nativeBuildInputs = [ pkgs.autoPatchelfHook pkgs.makeWrapper ];
        buildInputs = [ pkgs.glibc ];
        # The program loads libcurl when it needs it.
        dontStrip = true;
        installPhase = ''
          ./install.sh $out
          wrapProgram $out/bin/issues \
            --prefix LD_LIBRARY_PATH : ${pkgs.lib.makeLibraryPath [ pkgs.curl ]} \
            --suffix PATH : ${pkgs.lib.makeBinPath [ pkgs.jq ]}
        '';
        meta = {
          homepage = "ORIGIN";
          license = pkgs.lib.licenses.mit;
          mainProgram = "issues";
          platforms = [ "x86_64-linux" ];
        };
      };
    };
}
