/// The queries for branches and projects, which REST doesn't have
/// (<https://docs.github.com/en/graphql/reference/objects>).
extension GraphQLQuery {
  static func development(
    of number: Int, in fullName: String, includesProjects: Bool
  ) -> GraphQLQuery {
    let name = RepositoryName(fullName)
    let projects = """
       projectItems(first:20){nodes{project{number title url owner{...on Organization{login} \
      ...on User{login}}} fieldValueByName(name:"Status"){...on ProjectV2ItemFieldSingleSelectValue\
      {name}}}}
      """
    return GraphQLQuery(
      query: """
        query($owner:String!,$repo:String!){repository(owner:$owner,name:$repo){issue(number:\(number))\
        {id number title url linkedBranches(first:50){nodes{ref{name repository{nameWithOwner}}}} \
        closedByPullRequestsReferences(first:20){nodes{number title url state isDraft \
        repository{nameWithOwner}}}\(includesProjects ? projects : "")}}}
        """,
      variables: ["owner": name?.owner ?? "", "repo": name?.name ?? ""])
  }

  static func branch(_ branch: String, base: String?, in fullName: String) -> GraphQLQuery {
    let name = RepositoryName(fullName)
    var variables = [
      "owner": name?.owner ?? "", "repo": name?.name ?? "", "name": "refs/heads/\(branch)",
    ]
    if let base { variables["base"] = "refs/heads/\(base)" }
    return GraphQLQuery(
      query: """
        query($owner:String!,$repo:String!,$name:String!\(base == nil ? "" : ",$base:String!"))\
        {repository(owner:$owner,name:$repo){id nameWithOwner defaultBranchRef{target{oid}} \
        branch:ref(qualifiedName:$name){name}\
        \(base == nil ? "" : " base:ref(qualifiedName:$base){target{oid}}")}}
        """,
      variables: variables)
  }

  static func project(_ project: ProjectReference) -> GraphQLQuery {
    GraphQLQuery(
      query: """
        query($owner:String!){repositoryOwner(login:$owner){...on ProjectV2Owner\
        {projectV2(number:\(project.number)){id title viewerCanUpdate field(name:"Status")\
        {...on ProjectV2SingleSelectField{id options{id name}}}} \
        projectsV2(first:20,query:"is:open"){nodes{number title}}}}}
        """,
      variables: ["owner": project.owner])
  }
}
