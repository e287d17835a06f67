{
  description = "<<.Summary>>";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      archives = {
        x86_64-linux = { url = "<<.linuxamd64.URL>>"; hash = "<<.linuxamd64.SRI>>"; };
        aarch64-linux = { url = "<<.linuxarm64.URL>>"; hash = "<<.linuxarm64.SRI>>"; };
        x86_64-darwin = { url = "<<.darwinamd64.URL>>"; hash = "<<.darwinamd64.SRI>>"; };
        aarch64-darwin = { url = "<<.darwinarm64.URL>>"; hash = "<<.darwinarm64.SRI>>"; };
      };
    in {
      packages = builtins.mapAttrs (system: archive:
        let pkgs = nixpkgs.legacyPackages.${system}; in {
          default = pkgs.stdenvNoCC.mkDerivation {
            pname = "docent";
            version = "<<.Version>>";
            src = pkgs.fetchurl archive;
            nativeBuildInputs = [ pkgs.installShellFiles ];
            installPhase = ''
              install -Dm755 docent $out/bin/docent
              installManPage man/*.1
              installShellCompletion --bash --name docent completions/docent.bash
              installShellCompletion --fish completions/docent.fish
              installShellCompletion --zsh completions/_docent
            '';
            meta = {
              description = "<<.Summary>>";
              homepage = "<<.Homepage>>";
              license = pkgs.lib.licenses.asl20;
              mainProgram = "docent";
            };
          };
        }) archives;
    };
}
